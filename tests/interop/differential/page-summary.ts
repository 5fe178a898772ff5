/** What matters of a built-in page: which one it is, where its forms go, and whether it reports an error. */
export interface PageSummary {
  readonly page: string
  readonly forms: readonly string[]
  readonly fields: readonly string[]
  readonly hasError: boolean
  readonly theme: string
}

export function summaryOf(html: string): PageSummary {
  return {
    page:
      /<(?:div|main) class="(signin|signout|error|verify-request|confirm-email|forward)"/.exec(html)?.[1] ?? "other",
    forms: [...html.matchAll(/<form[^>]*?\baction="([^"]*)"/g)].map(
      ([, action = ""]) => new URL(action, "https://app.test").pathname,
    ),
    fields: [...html.matchAll(/<input[^>]*?\bname="([^"]*)"/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !isHidden(name)),
    hasError: /<div class="error"[^>]*><p/.test(html),
    theme: /__next-auth-theme-(\w+)/.exec(html)?.[1] ?? "none",
  }
}

/** Both libraries add these, though not to the same forms. */
function isHidden(name: string): boolean {
  return name === "csrfToken" || name === "callbackUrl"
}
