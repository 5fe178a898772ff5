/** Up to two initials of a name, or the first character of an email. Empty without both. */
export function initialsOf(name: string | null | undefined, email: string | null | undefined): string {
  const words = (name ?? "").split(/\s+/u).filter((word) => /^\p{L}|^\p{N}/u.test(word))
  const chosen = words.length > 1 ? [words.at(0), words.at(-1)] : [words.at(0) ?? email ?? ""]
  return chosen.map((word) => /^./su.exec(word ?? "")?.[0].toUpperCase() ?? "").join("")
}
