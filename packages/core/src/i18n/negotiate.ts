/** Browsers send shorter headers; this bounds the work for a hostile one. */
const maxHeaderLength = 256

/** The tags of an `Accept-Language` header, the most wanted first (RFC 9110 §12.5.4). */
export function acceptedTags(header: string): readonly string[] {
  const weighted = header
    .slice(0, maxHeaderLength)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim())
      const weight = Number(parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? 1)
      return { tag, weight }
    })
  return weighted
    .filter(({ tag, weight }) => tag !== "" && weight > 0 && weight <= 1)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** The tags of `ui_locales`, the most wanted first (OpenID Connect Core §3.1.2.1). */
export function listedTags(value: string): readonly string[] {
  return value.slice(0, maxHeaderLength).split(/\s+/).filter(Boolean)
}

/** The offered tag that fits the first wanted one that any fits. `*` stands for `fallback`. */
export function bestTag(wanted: readonly string[], offered: readonly string[], fallback: string): string | undefined {
  for (const tag of wanted) {
    const found = tag === "*" ? fallback : lookUp(tag, offered)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The offered tag that a wanted one is nearest to: the same, a shorter form of it (RFC 4647 §3.4), or one of the same
 * language and script. `zh-HK` is in traditional characters as `zh-TW`, so it isn't `zh-CN`.
 */
function lookUp(wanted: string, offered: readonly string[]): string | undefined {
  const locale = localeOf(wanted)
  if (locale === undefined) return undefined
  const own = wanted.toLowerCase().replaceAll("_", "-")
  const related = offered.filter((tag) => isRelated(offeredLocale(tag), locale))
  const names = related.map((tag) => ({ tag, name: tag.toLowerCase().replaceAll("_", "-") }))
  const exact = names.find(({ name }) => name === own)
  const shorter = names
    .filter(({ name }) => own.startsWith(`${name}-`))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  return (exact ?? shorter)?.tag ?? related[0]
}

function isRelated(one: Intl.Locale | undefined, other: Intl.Locale): boolean {
  return one?.language === other.language && one.script === other.script
}

/** Finding the likely script is slow, and the offered tags are always the same few. */
const offeredLocales = new Map<string, Intl.Locale | undefined>()

function offeredLocale(tag: string): Intl.Locale | undefined {
  if (!offeredLocales.has(tag)) offeredLocales.set(tag, localeOf(tag))
  return offeredLocales.get(tag)
}

/** Not of `Intl`: macrolanguages, and Nynorsk, whose readers all read Bokmål. */
const aliases: Readonly<Record<string, string>> = { no: "nb", nn: "nb" }

/** With its likely script. `undefined`: not a language tag. */
function localeOf(tag: string): Intl.Locale | undefined {
  const [language = "", ...rest] = tag.toLowerCase().split(/[-_]/)
  const known = Object.hasOwn(aliases, language) ? aliases[language] : language
  try {
    return new Intl.Locale([known, ...rest].join("-")).maximize()
  } catch {
    return undefined
  }
}

/** The tag in its usual spelling. `undefined`: not a language tag. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag.replaceAll("_", "-")).toString()
  } catch {
    return undefined
  }
}

const rightToLeft: ReadonlySet<string | undefined> = new Set(["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"])

export function directionOf(tag: string): "ltr" | "rtl" {
  return rightToLeft.has(localeOf(tag)?.script) ? "rtl" : "ltr"
}
