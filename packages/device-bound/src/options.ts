export interface DeviceBoundOptions {
  /**
   * How long a stolen session works, and how often the browser proves that it has the key. Seconds, from 300 to 3600. Chrome
   * renews what lasts less than two minutes at every request, and stops after a few proofs within minutes.
   *
   * @default 600
   */
  readonly maxAge?: number
  /**
   * Whether a session ends after `maxAge` if its browser has no key, so that browsers without Device Bound Session Credentials can't stay
   * signed in. Then a cookie that was stolen before the browser had a key is worthless, too.
   *
   * @default false
   */
  readonly required?: boolean
}

export function settingsOf({ maxAge = 600, required = false }: DeviceBoundOptions): Required<DeviceBoundOptions> {
  return { maxAge, required }
}

export function problemsOf(options: DeviceBoundOptions): readonly string[] {
  const { maxAge } = settingsOf(options)
  const isSensible = Number.isInteger(maxAge) && maxAge >= 300 && maxAge <= 3600
  return isSensible ? [] : ["deviceBound: `maxAge` is a number of seconds from 300 to 3600"]
}
