/**
 * The texts of a sign-in email. `{host}` stands for the site, `{time}` for a duration and `{code}` for the code. All other
 * text is plain; HTML in it is escaped.
 */
export interface MailTexts {
  readonly subject: string
  readonly heading: string
  readonly button: string
  /** Above the code. */
  readonly code: string
  /** When the link expires: `{time}`. */
  readonly linkLasts: string
  /** When the code expires: `{time}`. */
  readonly codeLasts: string
  /** Above the URL of the link in plain text. */
  readonly fallback: string
  /** For a recipient who didn't request the email. */
  readonly ignore: string
  /** Follows `ignore` if there is a code. */
  readonly keepCode: string
  /** The preview that an inbox shows next to the subject. */
  readonly preview: string
  /** The preview if there is a code: `{code}`. */
  readonly previewWithCode: string
}

export const english: MailTexts = {
  subject: "Sign in to {host}",
  heading: "Sign in to {host}",
  button: "Sign in",
  code: "Signing in on another device? Enter this code there:",
  linkLasts: "The link works once and expires in {time}.",
  codeLasts: "The code expires in {time}.",
  fallback: "If the button doesn't work, copy this link into your browser:",
  ignore: "If you didn't request this email, you can safely ignore it.",
  keepCode: "Don't share the code. We never ask for it by phone, chat or email.",
  preview: "Use the link in this email to sign in.",
  previewWithCode: "Your code is {code}. You can also use the link.",
}

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
    texts: { ...english, ...given(own) },
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

/** Replaces each placeholder that has a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : placeholder,
  )
}

/** In whole days, hours or minutes, rounded down so that a link never expires before the stated time. */
export function duration(seconds: number, language: string): string {
  const [unit, length] =
    seconds >= 172_800
      ? (["day", 86_400] as const)
      : seconds >= 7200
        ? (["hour", 3600] as const)
        : (["minute", 60] as const)
  const count = Math.max(1, Math.floor(seconds / length))
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count)
}
