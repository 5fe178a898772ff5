import type { Block, FactorForm, PasskeyButton } from "@latchkey/core/module"
import { renderSVG } from "uqr"
import type { Context } from "./context.js"
import type { Method } from "./options.js"

type Field = FactorForm["fields"][string]
type Shown = Exclude<Block, { readonly kind: "form" }>

export function codeField({ text }: Context): Field {
  return {
    label: text("code"),
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
    required: true,
  }
}

interface Code {
  readonly hasApp: boolean
  /** With which a code can be sent. */
  readonly methods: readonly Method[]
  readonly passkey: PasskeyButton | undefined
  /** What to say instead of the usual text. */
  readonly note?: string | undefined
  readonly offersTrust: boolean
}

/** Asks for a code. */
export function codeForm(context: Context, { hasApp, methods, passkey, note, offersTrust }: Code): FactorForm {
  const { text } = context
  const usual = hasApp ? "ask" : methods.length > 0 ? "askSent" : passkey ? "askPasskey" : "askRecovery"
  const trust = { type: "checkbox", value: "yes", label: text("trust") }
  const actions = actionsFor(context, methods)
  return {
    title: text("title"),
    text: note ?? text(usual),
    fields: { code: codeField(context), ...(offersTrust && { trust }) },
    submit: text("verify"),
    ...(methods.length > 0 && { actions }),
    ...(passkey && { passkey }),
  }
}

function actionsFor({ text }: Context, methods: readonly Method[]): Readonly<Record<string, string>> {
  return Object.fromEntries(methods.map((method) => [method, text(method === "sms" ? "sendSms" : "sendEmail")]))
}

/** The sign-in goes on when the user has saved the codes. Only the response that made them can show them. */
export function savedForm({ text }: Context, codes: readonly string[] | undefined): FactorForm {
  const shown = codes === undefined ? {} : { text: text("keep"), blocks: [{ kind: "codes", codes } as const] }
  return { title: text("isOn"), ...shown, fields: {}, submit: text("verify") }
}

interface Setup {
  readonly secret: string
  readonly issuer: string | undefined
  readonly user: {
    readonly id: string
    readonly email?: string | null | undefined
    readonly name?: string | null | undefined
  }
}

/** The key of an authenticator app as a QR code and as text. */
export function setupBlocks({ app, text }: Context, { secret, issuer = app, user }: Setup): readonly Shown[] {
  const label = encodeURIComponent(`${issuer}:${user.email ?? user.name ?? user.id}`)
  const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
  return [
    { kind: "text", text: text("scan") },
    { kind: "image", src: `data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`, alt: text("qr") },
    { kind: "text", text: text("key") },
    { kind: "codes", codes: [secret] },
  ]
}
