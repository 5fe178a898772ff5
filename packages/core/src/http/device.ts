/** In the order in which they are recognized: most browsers also name those that they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
]

/** Characters. */
const maxLength = 512

/** What a `User-Agent` says, in words of ours: it's text from a visitor, and another user reads it. */
export function deviceOf(userAgent: string | null): { readonly browser?: string; readonly system?: string } {
  const text = userAgent?.slice(0, maxLength) ?? ""
  const named = (list: typeof browsers) => list.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) }
}
