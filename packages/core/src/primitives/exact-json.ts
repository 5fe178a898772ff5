/** A string, or a number. In valid JSON every string is closed, so this takes linear time. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * `JSON.parse`, but an integer beyond 2^53 becomes its text. As a number it would be rounded, and two ids could become
 * one (RFC 8259 §6).
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return /\d{16}/.test(text)
    ? JSON.parse(text.replace(token, (found) => (isRounded(found) ? `"${found}"` : found)))
    : value
}

function isRounded(found: string): boolean {
  return /^-?\d{16,}$/.test(found) && !Number.isSafeInteger(Number(found))
}

/** A response whose `json()` doesn't round integers. */
export class ExactResponse extends Response {
  override async json(): Promise<unknown> {
    return parseExactJson(await this.text())
  }

  override clone(): Response {
    const { body, status, headers } = super.clone()
    return new ExactResponse(body, { status, headers })
  }
}

/** Whether a number can't tell neighbors apart: it's rounded, or another text for the same number exists. */
export function isInexact(value: number): boolean {
  return !Number.isSafeInteger(value) || Object.is(value, -0)
}

/** Whether arrays and objects are nested in more than this many levels. The value comes from JSON, so it has no cycles. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((item) => nestsDeeper(item, levels - 1))
}
