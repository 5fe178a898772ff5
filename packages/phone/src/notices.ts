import { type Context, masked } from "./context.js"

interface Notice {
  readonly id: string
  readonly email: string | null | undefined
  readonly notice: "mailAdded" | "mailRemoved"
  readonly number: string
}

/** Tells the user by email: what happened can't be undone because an email wasn't sent. */
export async function notify(context: Context, { id, email, notice, number }: Notice): Promise<void> {
  const { canMail, mail, text, accountUrl } = context
  if (!canMail || !email) return
  const subject = text("phone")
  const link = { url: accountUrl, text: text("account"), fallback: accountUrl }
  const letter = { subject, heading: subject, text: text(notice, { number: masked(number) }), link }
  try {
    await mail({ to: email, ...letter, closing: [text("mailNotYou")], isNotice: true })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown"
    await context.emit("notice-failed", { id }, { outcome: "failure", reason })
  }
}
