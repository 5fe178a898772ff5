import type { FactorForm } from "@latchkey/core/module"
import { type Context, type Result, typed } from "./context.js"

interface Asked {
  readonly error?: string | undefined
  /** As it was typed. */
  readonly phone?: string | undefined
}

/** Asks for the number. Without JavaScript and with a CAPTCHA, it's the same form. */
export function askPage(context: Context, { error, phone }: Asked = {}): Promise<Result> {
  const { text, page } = context
  return page({
    title: text("title"),
    isSignUp: true,
    ...refused(error),
    blocks: [
      {
        kind: "form",
        ...toProvider(context, { step: "send" }),
        fields: { phone: phoneField(context, phone) },
        captcha: "sign-up",
        submit: text("send"),
      },
    ],
  })
}

/** Asks a signed-in user for the CAPTCHA, which the account page doesn't show. */
export function addPage(context: Context, { error, phone }: Asked): Promise<Result> {
  const { text, page } = context
  const fields = { phone: phoneField(context, phone) }
  return page({
    title: text("phone"),
    ...refused(error),
    blocks: [{ kind: "form", route: "add", fields, captcha: "sign-up", submit: text("use") }],
  })
}

export function phoneField({ text }: Context, value?: string): FactorForm["fields"][string] {
  const rules = { type: "tel", autocomplete: "tel", required: true, maxlength: 40 }
  return { label: text("phone"), ...rules, ...(value && { value }) }
}

interface Sent {
  readonly number: string
  /** Of the account page. */
  readonly isAdding: boolean
  readonly error?: string
}

/** Asks for the code that was sent. */
export function codePage(context: Context, { number, isAdding, error }: Sent): Promise<Result> {
  const { text, page, url, accountUrl } = context
  const again = isAdding
    ? ({ kind: "link", url: accountUrl, text: text("account") } as const)
    : ({ kind: "link", url: url(""), text: text("other") } as const)
  const target = isAdding ? { callbackUrl: accountUrl } : {}
  return page({
    title: text("title"),
    ...refused(error),
    blocks: [
      { kind: "text", text: text("sent", { to: number }) },
      {
        kind: "form",
        ...toProvider(context, { step: "code", phone: number, ...target }),
        fields: { code: codeField(context) },
        submit: text("verify"),
      },
      again,
    ],
  })
}

function codeField({ text }: Context): FactorForm["fields"][string] {
  const digits = { inputmode: "numeric", autocomplete: "one-time-code", maxlength: 12, required: true }
  return { type: "text", label: text("code"), ...digits }
}

export function problemPage({ text, page, accountUrl }: Context, error: string): Promise<Result> {
  const back = { kind: "link", url: accountUrl, text: text("account") } as const
  return page({ title: text("phone"), error, status: 400, blocks: [back] })
}

/** The sign-in goes through every phase, so a guard or a second factor can't be passed by. */
function toProvider(context: Context, values: Readonly<Record<string, string>>) {
  const callbackUrl = typed(context, "callbackUrl")
  const target = callbackUrl === "" ? {} : { callbackUrl }
  return { route: "phone", signIn: true, values: { ...target, ...values } } as const
}

function refused(error: string | undefined) {
  return error === undefined ? {} : { error, status: 400 }
}
