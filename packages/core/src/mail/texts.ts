/** What a message says. `{host}` is the site, `{time}` a length of time, `{code}` the code; nothing else is markup. */
export interface MailTexts {
  readonly subject: string
  readonly heading: string
  readonly button: string
  /** Before the code. */
  readonly code: string
  /** How long the link lasts: `{time}`. */
  readonly linkLasts: string
  /** How long the code lasts: `{time}`. */
  readonly codeLasts: string
  /** Before the address of the link as text. */
  readonly fallback: string
  /** For whoever did not ask. */
  readonly ignore: string
  /** Beside it where there is a code. */
  readonly keepCode: string
  /** What a list of messages shows beside the subject. */
  readonly preview: string
  /** The same where there is a code. */
  readonly previewWithCode: string
}

export const english: MailTexts = {
  subject: "Sign in to {host}",
  heading: "Sign in to {host}",
  button: "Sign in",
  code: "Reading this on another device? Enter this code where you asked to sign in:",
  linkLasts: "The link works once, for {time}.",
  codeLasts: "The code works for {time}.",
  fallback: "If the button does not work, copy this address into your browser:",
  ignore: "You did not ask for this? Ignore this message: nobody is signed in without it.",
  keepCode: "Do not give the code to anybody: we never ask for it by phone, chat or email.",
  preview: "Use the link in this message to sign in.",
  previewWithCode: "Your code is {code}. You can also use the link.",
}

/** Texts by language (BCP 47), such as `de` or `pt-BR`; what is left out stays English. */
export type MailLanguages = Readonly<Record<string, Partial<MailTexts>>>

/** The language in which a message is written. */
export interface MailLanguage {
  /** BCP 47. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  readonly texts: MailTexts
}

/** The best of these languages for somebody whose browser sends this `Accept-Language` (RFC 9110 §12.5.4). */
export function languageFor(accept: string | null, languages: MailLanguages = {}): MailLanguage {
  const tag = wishesOf(accept ?? "").flatMap((wish) => nearest(wish, Object.keys(languages)) ?? [])[0] ?? "en"
  const own = Object.hasOwn(languages, tag) ? languages[tag] : undefined
  return {
    tag: tag.replaceAll("_", "-"),
    direction: rightToLeft.has(primary(tag)) ? "rtl" : "ltr",
    texts: { ...english, ...given(own) },
  }
}

/** Longer than any browser's list; a longer one is somebody's joke. */
const longestList = 256

function wishesOf(accept: string): readonly string[] {
  const wishes = accept.slice(0, longestList).split(",")
  const weighed = wishes.map((wish) => {
    const [tag = "", ...parameters] = wish.split(";").map((part) => part.trim())
    const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
    return { tag: tag.toLowerCase(), weight }
  })
  return weighed
    .filter(({ tag, weight }) => tag !== "" && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** RFC 4647 §3.4, and then the language alone: `de` will do for `de-AT`, `pt-BR` for `pt`. English is always there. */
function nearest(wish: string, tags: readonly string[]): string | undefined {
  const exact = tags.find((tag) => tag.toLowerCase() === wish)
  const related =
    tags.find((tag) => tag.toLowerCase() === primary(wish)) ?? tags.find((tag) => primary(tag) === primary(wish))
  return exact ?? related ?? (primary(wish) === "en" ? "en" : undefined)
}

function primary(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? ""
}

const rightToLeft: ReadonlySet<string> = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"])

function given(texts: Partial<MailTexts> = {}): Partial<MailTexts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"))
}

/** The text with its places filled. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : place,
  )
}

/** In whole days, hours or minutes, rounded down: nobody is promised more than there is. */
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
