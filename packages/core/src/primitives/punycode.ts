const digits = "abcdefghijklmnopqrstuvwxyz0123456789"

/**
 * Decodes what follows `xn--` in a label of a domain (RFC 3492 §6.2). Runtimes can only encode.
 *
 * @returns `undefined` if it isn't Punycode. The result isn't checked, so encode it again and compare
 */
export function decodePunycode(text: string): string | undefined {
  const basic = Math.max(0, text.lastIndexOf("-"))
  const output = Array.from(text.slice(0, basic))
  let [code, position, bias] = [128, 0, 72]
  for (let at = basic === 0 ? 0 : basic + 1; at < text.length; ) {
    const before = position
    let weight = 1
    for (let k = 36; ; k += 36) {
      const digit = digits.indexOf(text[at++] ?? " ")
      if (digit === -1) return undefined
      position += digit * weight
      const threshold = Math.min(26, Math.max(1, k - bias))
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const length = output.length + 1
    bias = adapted(position - before, length, before === 0)
    code += Math.floor(position / length)
    position %= length
    if (code > 0x10_ff_ff) return undefined
    output.splice(position++, 0, String.fromCodePoint(code))
  }
  return output.join("")
}

/** RFC 3492 §6.1 */
function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
