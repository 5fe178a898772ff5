/** Bits that a guesser must get right; 256 is what 32 random bytes have. */
export const strongSecret = 256

const alphabets: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/^[0-9]+$/, 10],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 16],
  [/^[0-9a-z]+$|^[0-9A-Z]+$/, 36],
  [/^[0-9A-Za-z+/_-]+=*$/, 64],
  [/^[\x20-\x7e]+$/, 94],
]

/**
 * An upper estimate of the bits in a secret: what its alphabet allows, or less where its characters repeat themselves
 * more than chance would have it.
 */
export function entropyOf(secret: string): number {
  const text = secret.replace(/=+$/, "")
  const period = (text + text).indexOf(text, 1)
  const size = alphabets.find(([pattern]) => pattern.test(text))?.[1] ?? 256
  const allowed = Math.log2(size)
  const observed = observedEntropy(text)
  // A sample as short as a secret shows less than its source has: only a clear deficit counts.
  return Math.max(0, period) * (observed < allowed * 0.72 ? observed : allowed)
}

/** Shannon's measure over the characters as counted, in bits a character. */
function observedEntropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
