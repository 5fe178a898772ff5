import { fileURLToPath } from "node:url"
import type { LaunchOptions } from "playwright-core"

const flags =
  "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync " +
  "--font-render-hinting=none --disable-lcd-text --disable-font-subpixel-positioning --force-color-profile=srgb " +
  "--hide-scrollbars"

/** Machines differ in how they draw fonts and colors, so everything that's configurable is turned off. */
export const drawing: Pick<LaunchOptions, "args" | "env"> = {
  args: flags.split(" "),
  env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL("fonts.conf", import.meta.url)) },
}
