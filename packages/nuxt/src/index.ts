import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  addImports,
  addPlugin,
  addRouteMiddleware,
  addTypeTemplate,
  defineNuxtModule,
  resolvePath,
  useNuxt,
} from "nuxt/kit"
import type { NuxtModule } from "nuxt/schema"

/** The options under `latchkey` in `nuxt.config.ts`. */
export interface ModuleOptions {
  /** The file that exports `auth`. The type of the session comes from it. @default "server/utils/auth" */
  auth: string
}

/**
 * The Nuxt module. It gives pages `useSession`, `useAuth` and the route middleware `auth`. The server part is
 * `@latchkey/nuxt/server`.
 *
 * @example
 * ```ts
 * import { defineNuxtConfig } from "nuxt/config"
 *
 * export default defineNuxtConfig({ modules: ["@latchkey/nuxt"] })
 * ```
 */
const latchkey: NuxtModule<ModuleOptions> = defineNuxtModule<ModuleOptions>({
  meta: { name: "@latchkey/nuxt", configKey: "latchkey", compatibility: { nuxt: ">=4.0.0" } },
  defaults: { auth: "server/utils/auth" },
  async setup({ auth }) {
    const nuxt = useNuxt()
    nuxt.options.build.transpile.push("@latchkey/nuxt", "@latchkey/vue")
    addPlugin(runtime("plugin"))
    addRouteMiddleware({ name: "auth", path: runtime("middleware") })
    addImports(["useSession", "useAuth"].map((name) => ({ name, from: runtime("composables") })))
    const file = await resolvePath(auth, { cwd: nuxt.options.rootDir })
    if (!existsSync(file)) return
    addTypeTemplate(
      { filename: "types/latchkey.d.ts", getContents: () => sessionType(file.replace(/\.\w+$/, "")) },
      { nuxt: true, nitro: true, shared: true },
    )
  },
})

export default latchkey

function runtime(name: string): string {
  return fileURLToPath(new URL(`runtime/${name}.js`, import.meta.url))
}

/** Makes `useSession()` return what the `session` callback of the application returns. */
function sessionType(file: string): string {
  return `import type { auth } from ${JSON.stringify(file)}

declare module "@latchkey/nuxt/client" {
  interface Register {
    session: NonNullable<Awaited<ReturnType<typeof auth.getSession>>>
  }
}

export {}
`
}
