/** Seconds that a code lasts at most: it could be guessed. */
export const codeLife = 600
