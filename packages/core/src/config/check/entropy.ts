/** The bits of 32 random bytes. */
export const strongSecret = 256

const alphabets: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/^[0-9]+$/, 10],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 16],
  [/^[0-9a-z]+$|^[0-9A-Z]+$/, 36],
  [/^[0-9A-Za-z+/_-]+=*$/, 64],
  [/^[\x20-\x7e]+$/, 94],
]

/**
 * An upper estimate of the entropy of a secret, in bits: the size of its alphabet, or less if its characters repeat more
 * often than random ones would.
 */
export function entropyOf(secret: string): number {
  const text = secret.replace(/=+$/, "")
  const period = (text + text).indexOf(text, 1)
  const size = alphabets.find(([pattern]) => pattern.test(text))?.[1] ?? 256
  const possible = Math.log2(size)
  const observed = observedEntropy(text)
  // A short sample always shows less entropy than its source has, so only a clear deficit counts.
  return Math.max(0, period) * (observed < possible * 0.72 ? observed : possible)
}

/** Shannon entropy, in bits per character. */
function observedEntropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
