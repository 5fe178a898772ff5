import type { Background, Context } from "./context.js"

interface Letter {
  readonly userId: string
  readonly to: string | null | undefined
  readonly notice: "mailCreated" | "mailRotated" | "mailExpires" | "mailReported"
  /** The request of the user. @default none: the email is in the first language of the site, and leads to its configured URL */
  readonly at?: Context
  values(context: Context): Readonly<Record<string, string>>
}

/**
 * Sends an email, as far as that is possible: what happened can't be undone because an email wasn't sent.
 *
 * @returns whether it was sent
 */
export async function notify(context: Background, { userId, to, notice, at, values }: Letter): Promise<boolean> {
  if (!context.canMail || typeof to !== "string" || to === "") return false
  try {
    const place = at ?? (await context.atSite())
    const { text, accountUrl } = place
    const subject = text("title")
    const link = { url: accountUrl, text: text("account"), fallback: accountUrl }
    const content = {
      subject,
      heading: subject,
      text: text(notice, values(place)),
      link,
      closing: [text("mailNotYou")],
    }
    await place.mail({ to, ...content, isNotice: true })
    return true
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown"
    await context.emit("notice-failed", { id: userId }, { outcome: "failure", reason })
    return false
  }
}

export function dateIn({ language }: Pick<Context, "language">, date: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(date)
}
