/** The http(s) URL that a text is. `localhost:3000` isn't one: it parses as a URL with the scheme `localhost:`. */
export function webUrl(text: string | undefined): URL | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}
