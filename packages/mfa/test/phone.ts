import { type Browser, oneTimeCode } from "@latchkey/testing"

/** A user's authenticator app. */
export interface Phone {
  /** Scans the key on the page. */
  scan(browser: Browser): void
  /** The code at a time. A code that was shown before isn't shown again: the next one works as well (RFC 6238 §5.2). */
  code(now: number): string
  readonly key: string
}

export function phone(): Phone {
  let key = ""
  let lastStep = 0
  return {
    scan(browser) {
      const [shown] = codesOn(browser)
      if (shown === undefined) throw new Error(`The page shows no key: ${browser.location} ${browser.text}`)
      key = shown
    },
    code(now) {
      lastStep = Math.max(lastStep + 1, Math.floor(now / 30_000))
      return oneTimeCode(key, lastStep * 30_000)
    },
    get key() {
      return key
    },
  }
}

/** Keys and recovery codes on a page. */
export function codesOn({ text }: Browser): readonly string[] {
  return [...text.matchAll(/<li>([A-Z2-7-]{16,})<\/li>/g)].map(([, code = ""]) => code)
}
