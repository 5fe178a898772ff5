import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { application, latchkey, manifest, read, root } from "./latchkey.js"

/** The modules of each package that applications import. */
const modules: Readonly<Record<string, { readonly ours: string; readonly paths: readonly string[] }>> = {
  "@auth/sveltekit": {
    ours: "@latchkey/sveltekit",
    paths: ["", "/adapters", "/client", "/components", "/providers", "/providers/github", "/webauthn"],
  },
  "@auth/solid-start": {
    ours: "@latchkey/solid-start",
    paths: ["", "/adapters", "/client", "/providers", "/providers/github"],
  },
  "@hono/auth-js": { ours: "@latchkey/hono", paths: ["", "/react"] },
}

describe.each(Object.entries(modules))("latchkey migrate from %s", (former, { ours, paths }) => {
  test("replaces its modules and the dependency, and leaves nothing to do", async () => {
    const code = paths.map((path, index) => `import type * as m${index} from "${former}${path}"\n`).join("")
    const folder = await application({
      "package.json": manifest({ [former]: "1.0.0", "@auth/core": "0.41.1" }),
      "src/auth.ts": `${code}import type { Session } from "@auth/core/types"\n`,
      "src/types.d.ts": `declare module "${former}" {\n  interface Session { role: string }\n}\n`,
      "src/Button.svelte": `<script lang="ts">\n  import { AuthError } from "${former}"\n</script>\n`,
    })
    const { code: exit, stdout } = await latchkey(folder, ["migrate", "--write"])
    const expected = code.replaceAll(former, ours)
    expect(await read(folder, "src/auth.ts")).toBe(`${expected}import type { Session } from "@latchkey/core/types"\n`)
    expect(await read(folder, "src/types.d.ts")).toContain(`declare module "${ours}"`)
    expect(await read(folder, "src/Button.svelte")).toContain(`from "${ours}"`)
    expect(JSON.parse(await read(folder, "package.json"))).toHaveProperty("dependencies", {
      "@latchkey/core": "0.1.0",
      [ours]: "0.1.0",
    })
    expect(stdout).toContain("Users stay signed in")
    expect(exit).toBe(0)
    expect((await latchkey(folder, ["migrate", "--check"])).code).toBe(0)
  })

  test("finds nothing to migrate if the dependency is an alias of Latchkey", async () => {
    const folder = await application({
      "package.json": manifest({ [former]: `npm:${ours}@^0.1.0` }),
      "src/auth.ts": `import * as auth from "${former}"\n`,
    })
    expect((await latchkey(folder, ["migrate", "--check"])).code).toBe(0)
  })

  test("Latchkey's package has each of its modules", () => {
    const file = join(root, "packages", ours.replace("@latchkey/", ""), "package.json")
    const { exports } = JSON.parse(readFileSync(file, "utf8")) as { exports: Record<string, unknown> }
    for (const path of paths) expect(exports).toHaveProperty([`.${path}`.replace("/github", "/*")])
  })
})

describe("latchkey migrate from auth-astro", () => {
  test("adds the package, and says what to write instead", async () => {
    const config = 'import auth from "auth-astro"\nexport default { integrations: [auth()] }\n'
    const page = '---\nimport { getSession } from "auth-astro/server"\n---\n'
    const folder = await application({
      "package.json": manifest({ astro: "7.3.5", "auth-astro": "4.2.0" }),
      "astro.config.mjs": config,
      "src/pages/index.astro": page,
    })
    const { code, stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(code).toBe(1)
    expect(stdout).toContain("astro.config.mjs:1: Remove the integration `auth()` from astro.config.")
    expect(stdout).toContain("src/pages/index.astro:2: Use `getSession` of the `auth` in src/auth.ts")
    expect(stdout).toMatch(/package\.json:\d+: auth-astro stays, because the code still imports it/)
    expect(await read(folder, "astro.config.mjs")).toBe(config)
    expect(await read(folder, "src/pages/index.astro")).toBe(page)
    expect(JSON.parse(await read(folder, "package.json"))).toMatchObject({
      dependencies: { "auth-astro": "4.2.0", "@latchkey/astro": "0.1.0" },
    })
  })
})
