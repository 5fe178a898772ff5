/** Whether a value is the text of an http(s) URL. `localhost:3000` isn't: it parses as a URL with the scheme `localhost:`. */
export function isWebUrl(text: unknown): text is string {
  return typeof text === "string" && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** A URL whose host a site can have, unlike that of a list of URLs, or of a URL with a quotation mark after it. */
export function isSiteUrl(text: unknown): text is string {
  return isWebUrl(text) && /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(new URL(text).hostname)
}
