import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const packages = new URL("../../packages/", import.meta.url)
/** The URL of a built module of the workspace. */
const built = (path) => new URL(path, packages)
const text = (path) => JSON.stringify(fileURLToPath(built(path)))

export const isBuilt = () => ["index", "server", "jwt"].every((name) => existsSync(built(`core/dist/${name}.js`)))

/** The memory adapter for both engines. `undefined` if it isn't built. */
export async function memoryAdapter() {
  const file = built("adapter-kit/dist/memory.js")
  return existsSync(file) ? (await import(file)).memoryAdapter() : undefined
}

async function postgres(pool) {
  const file = built("sql/dist/postgres.js")
  if (!existsSync(file)) return undefined
  const { postgres: adapterOver } = await import(file)
  return adapterOver({ pool })
}

/** @returns {Promise<import("./engine.mjs").Engine | undefined>} */
export async function latchkey() {
  if (!isBuilt()) return undefined
  const [{ Auth, customFetch }, { createServer }, { decode, encode, getToken }] = await Promise.all(
    ["index", "server", "jwt"].map((name) => import(built(`core/dist/${name}.js`))),
  )
  return {
    name: "Latchkey",
    customFetch,
    encode,
    decode,
    getToken,
    answer: (config) => (request) => Auth(request, config),
    getSession: (config) => {
      const server = createServer(config)
      return async (headers) => {
        const { session, error } = await server.session({ headers, origin: `https://${headers.get("host")}` })
        if (error !== undefined) throw error
        return session
      }
    },
    postgres,
    bundles: {
      sessionCheck: `export { getToken } from ${text("core/dist/jwt.js")}`,
      serverSession: `export { createServer } from ${text("core/dist/server.js")}`,
      engine: `export { Auth } from ${text("core/dist/index.js")}
        export const provider = { id: "op", name: "OP", type: "oauth", authorization: "https://op.test/authorize",
          token: "https://op.test/token", userinfo: "https://op.test/me", profile: ({ id, name }) => ({ id, name }) }`,
    },
  }
}
