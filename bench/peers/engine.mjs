/**
 * What scenarios need from an engine with the interface of Auth.js v5.
 * @typedef {object} Engine
 * @property {string} name
 * @property {symbol} customFetch the key of a provider's own fetch
 * @property {(params: { token: object, secret: string, salt: string, maxAge?: number }) => Promise<string>} encode
 * @property {(params: { token: string, secret: string, salt: string }) => Promise<object | null>} decode
 * @property {(params: { req: { headers: Headers }, secret: string, secureCookie: boolean }) => Promise<object | null>} getToken
 * @property {(config: object) => (request: Request) => Promise<Response>} answer
 * @property {(config: object) => (headers: Headers) => Promise<object | null>} getSession the session of a request, as middleware gets it
 * @property {(pool: import("pg").Pool) => Promise<object>} postgres the adapter that users of this engine would choose, with its tables
 * @property {() => object} [memory] sessions in memory, if not those of the adapter that all engines share
 * @property {(adapter: object) => object} [overAdapter] uses an adapter of Auth.js
 * @property {{ sessionCheck: string, serverSession?: string, engine: string }} bundles the source of entry points
 */

/**
 * Runs `work` with an earlier clock, so that a token it creates looks older.
 * @template T
 * @param {number} milliseconds before now
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function earlier(milliseconds, work) {
  const { mock } = await import("node:test")
  mock.timers.enable({ apis: ["Date"], now: Date.now() - milliseconds })
  try {
    return await work()
  } finally {
    mock.timers.reset()
  }
}

/** The engines. Latchkey is `undefined` if it isn't built. */
export async function loadPeers() {
  const [{ latchkey }, { limit }, { authCore }] = await Promise.all(
    ["./latchkey.mjs", "./limit.mjs", "./auth-core.mjs"].map((file) => import(file)),
  )
  return { latchkey: await latchkey(), limit, authCore }
}
