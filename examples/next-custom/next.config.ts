import { fileURLToPath } from "node:url"
import type { NextConfig } from "next"

const config: NextConfig = {
  // The workspace packages are links to folders outside this one.
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
  // The SQLite driver has a native binary, which can't be bundled.
  serverExternalPackages: ["@latchkey/sql"],
}

export default config
