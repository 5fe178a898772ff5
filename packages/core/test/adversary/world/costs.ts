/** What one request made the engine do. */
export interface Costs {
  adapterCalls: number
  authorizeCalls: number
  providerRequests: number
  messages: number
  /** Characters that were normalized, or parsed as the host of a URL. */
  characters: number
}

export function noCosts(): Costs {
  return { adapterCalls: 0, authorizeCalls: 0, providerRequests: 0, messages: 0, characters: 0 }
}

/** The costs of the request that runs now. Steps send one request after another. */
let current: Costs = noCosts()

export async function metered<T>(costs: Costs, work: () => Promise<T>): Promise<T> {
  current = costs
  try {
    return await work()
  } finally {
    current = noCosts()
  }
}

export function count(what: keyof Costs, amount = 1): void {
  current[what] += amount
}

/**
 * Counts the characters that are normalized or parsed as the host of a URL, where Punycode is slow. Returns a function that
 * stops it.
 */
export function meterText(): () => void {
  const { URL: Original } = globalThis
  const { normalize } = String.prototype
  const replace = (method: unknown) =>
    Reflect.defineProperty(String.prototype, "normalize", { ...replaceable, value: method })
  replace(function metered(this: string, form?: string) {
    count("characters", this.length)
    return normalize.call(this, form)
  })
  globalThis.URL = class extends Original {
    constructor(url: string | URL, base?: string | URL) {
      const text = String(url)
      if (!isAscii(text)) count("characters", text.length)
      super(url, base)
    }
  }
  return () => {
    replace(normalize)
    globalThis.URL = Original
  }
}

const replaceable = { configurable: true, writable: true, enumerable: false }

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
