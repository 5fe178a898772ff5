/** Languages that the library has, as BCP 47 tags. */
export const builtInTags = [
  "ar",
  "cs",
  "da",
  "de",
  "en",
  "es",
  "fi",
  "fr",
  "he",
  "hi",
  "id",
  "it",
  "ja",
  "ko",
  "nb",
  "nl",
  "pl",
  "pt",
  "ru",
  "sv",
  "tr",
  "uk",
  "zh-CN",
  "zh-TW",
] as const

export type BuiltInTag = (typeof builtInTags)[number]

export function isBuiltIn(tag: string): tag is BuiltInTag {
  return builtInTags.some((known) => known === tag)
}
