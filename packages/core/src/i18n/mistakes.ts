/** What can't be used of an application's texts: `path: problem. fix`. */
export function mistakesIn(base: object, own: object, path: string): readonly string[] {
  return Object.entries(own).flatMap(([key, text]: [string, unknown]) => {
    const place = `${path}.${key}`
    const known: unknown = Object.hasOwn(base, key) ? Reflect.get(base, key) : undefined
    if (known === undefined) return [`${place}: There is no such text. Correct its name`]
    if (typeof known === "string") return typeof text === "string" ? placeholderMistakes(known, text, place) : []
    return isObject(known) && isObject(text) ? mistakesIn(known, text, place) : []
  })
}

function placeholderMistakes(known: string, text: string, place: string): readonly string[] {
  const names = placeholdersOf(known)
  return placeholdersOf(text)
    .filter((name) => !names.includes(name))
    .map((name) => `${place}: The text has no placeholder {${name}}. Use those of the English text`)
}

function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
