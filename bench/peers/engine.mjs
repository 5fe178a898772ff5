/**
 * What a scenario needs of an engine with the interface of Auth.js v5.
 * @typedef {object} Engine
 * @property {string} name
 * @property {symbol} customFetch key of a provider's own fetch
 * @property {(params: { token: object, secret: string, salt: string, maxAge?: number }) => Promise<string>} encode
 * @property {(params: { token: string, secret: string, salt: string }) => Promise<object | null>} decode
 * @property {(config: object) => (request: Request) => Promise<Response>} answer
 * @property {(config: object) => (headers: Headers) => Promise<object | null>} who "who is this?" as middleware asks it
 * @property {(pool: import("pg").Pool) => Promise<object>} postgres the adapter this engine's users would take, with its tables made
 * @property {{ sessionCheck: string, serverSession?: string, engine: string }} bundles source text of entry points
 */

/**
 * Runs `work` under a clock that stands at another time, as if the token it makes had been made then.
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

/** Every engine that is here. `undefined` for Latchkey before it is built. */
export async function loadPeers() {
  const [{ latchkey }, { authCore }] = await Promise.all([import("./latchkey.mjs"), import("./auth-core.mjs")])
  return { latchkey: await latchkey(), authCore }
}
