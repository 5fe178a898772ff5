import { english } from "../i18n/languages/en.js"
import type { MailTexts } from "../i18n/mail-messages.js"

export type { MailTexts }

/** Texts by language tag (BCP 47), such as `de` or `pt-BR`. Texts that you leave out stay English. */
export type MailLanguages = Readonly<Record<string, Partial<MailTexts>>>

/** The language of an email. */
export interface MailLanguage {
  /** BCP 47. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  readonly texts: MailTexts
}

/** Selects the best language for an `Accept-Language` header (RFC 9110 §12.5.4). Without a match, it's English. */
export function languageFor(accept: string | null, languages: MailLanguages = {}): MailLanguage {
  const tag = preferredTags(accept ?? "").flatMap((wanted) => lookUp(wanted, Object.keys(languages)) ?? [])[0] ?? "en"
  const own = Object.hasOwn(languages, tag) ? languages[tag] : undefined
  return {
    tag: tag.replaceAll("_", "-"),
    direction: rightToLeft.has(primary(tag)) ? "rtl" : "ltr",
    texts: { ...english.mail.signIn, ...given(own) },
  }
}

/** Browsers send shorter headers; this bounds the work for a hostile one. */
const maxHeaderLength = 256

function preferredTags(accept: string): readonly string[] {
  const ranges = accept.slice(0, maxHeaderLength).split(",")
  const weighted = ranges.map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim())
    const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
    return { tag: tag.toLowerCase(), weight }
  })
  return weighted
    .filter(({ tag, weight }) => tag !== "" && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** RFC 4647 §3.4, then any tag of the same language: `de` matches `de-AT`, `pt-BR` matches `pt`. English always matches. */
function lookUp(wanted: string, tags: readonly string[]): string | undefined {
  const exact = tags.find((tag) => tag.toLowerCase() === wanted)
  const related =
    tags.find((tag) => tag.toLowerCase() === primary(wanted)) ?? tags.find((tag) => primary(tag) === primary(wanted))
  return exact ?? related ?? (primary(wanted) === "en" ? "en" : undefined)
}

function primary(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? ""
}

const rightToLeft: ReadonlySet<string> = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"])

function given(texts: Partial<MailTexts> = {}): Partial<MailTexts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"))
}
