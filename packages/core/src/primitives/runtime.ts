export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The part of an `AbortSignal` that tells when the client went away. */
export interface ClientSignal {
  readonly aborted: boolean
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

/** All that the engine takes from the world: time, randomness, network. Replaceable in tests. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number
  random(bytes: number): Uint8Array<ArrayBuffer>
  uuid(): string
  readonly fetch: Fetch
  /**
   * Waits for milliseconds, or until the signal aborts. Without it, an attempt that would have to wait is refused.
   *
   * @default a timer; nothing if `now` is replaced, since time may then stand still
   */
  readonly sleep?: ((milliseconds: number, signal?: ClientSignal) => Promise<void>) | undefined
}

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  uuid: () => uuidFrom(systemRuntime.random(16)),
  fetch: (input, init) => fetch(input, init),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal?.addEventListener("abort", done)
    }),
}

/**
 * RFC 9562 §5.4. The bytes of `crypto.randomUUID` come from a cache of Node, which processes that are resumed from one snapshot share:
 * two new users would get one id. And browsers hide it outside secure contexts.
 */
export function uuidFrom(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  let hex = ""
  for (const byte of bytes) hex += (256 + byte).toString(16).slice(1)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Waits for `work`. If it takes longer, returns the result of `late`, and the work continues in the background. */
export async function within<T, L>(
  milliseconds: number,
  work: T | PromiseLike<T>,
  late: () => L,
): Promise<Awaited<T> | L> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  }).then(late)
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}
