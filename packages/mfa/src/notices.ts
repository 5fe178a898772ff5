import type { Context } from "./context.js"

/** The key of the text that says what happened. */
export type Notice =
  | "mailEnrolled"
  | "mailRemoved"
  | "mailRecoveryUsed"
  | "mailRegenerated"
  | "mailReset"
  | "mailResetCanceled"
  | "mailResetDone"

interface Letter {
  readonly to: string | null | undefined
  readonly notice: Notice
  readonly values?: Readonly<Record<string, string>>
}

/** Tells the user by email, as far as that is possible: what happened can't be undone because an email wasn't sent. */
export async function notify(context: Context, userId: string, { to, notice, values }: Letter): Promise<void> {
  const { canMail, mail, text, accountUrl } = context
  if (!canMail || typeof to !== "string" || to === "") return
  const subject = text("title")
  const link = { url: accountUrl, text: text("account"), fallback: accountUrl }
  try {
    const letter = { subject, heading: subject, text: text(notice, values), link, closing: [text("mailNotYou")] }
    await mail({ to, ...letter, isNotice: true })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown"
    await context.emit("notice-failed", { id: userId }, { outcome: "failure", reason })
  }
}

export function dateIn({ language }: Pick<Context, "language">, date: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(date)
}

/** `a***@example.test`, or the last three digits of a number: enough to recognize one's own. */
export function masked(to: string): string {
  const at = to.lastIndexOf("@")
  return at < 0 ? `***${to.slice(-3)}` : `${to.slice(0, 1)}***${to.slice(at)}`
}
