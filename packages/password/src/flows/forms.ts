import type { Block } from "@latchkey/core/module"
import { type FormFields as Fields, ownInputs, type Typed } from "./fields.js"
import { type Link, openedTarget, targetOf } from "./links.js"
import type { Context, Result, Site } from "./site.js"

/** Pasting is allowed, and no manager of passwords is kept out. */
function newPassword({ text }: Context, { minLength }: Site, name: string): Fields {
  const rules = { autocomplete: "new-password", minlength: minLength, required: true, "data-show": text("show") }
  return { [name]: { type: "password", label: text(name === "password" ? "password" : "newPassword"), ...rules } }
}

function emailField({ text }: Context, value?: string): Fields {
  const label = text("email")
  return { email: { type: "email", label, autocomplete: "username", required: true, ...(value && { value }) } }
}

/** Managers of passwords find out whose password it is, and the form of one link isn't taken for that of another. */
function whose(email: string): Fields {
  return { email: { type: "hidden", autocomplete: "username", value: email } }
}

export interface Again {
  readonly error?: string | undefined
  readonly email?: string
  readonly filled?: Typed
}

export function signUpPage(site: Site, context: Context, { error, email, filled }: Again = {}): Promise<Result> {
  if (site.signUp !== "open") return noSignUpPage(site, context)
  const { text, page, app } = context
  const fields = {
    ...ownInputs(context, site, filled),
    ...emailField(context, email),
    ...newPassword(context, site, "password"),
  }
  return page({
    title: text("signUpSubject", { app }),
    isSignUp: true,
    ...refused(error),
    blocks: [
      hint(context, site),
      {
        kind: "form",
        route: "sign-up",
        captcha: "sign-up",
        values: targetOf(context),
        fields,
        submit: text("signUp"),
      },
    ],
  })
}

/** The same for each visitor, so it doesn't tell who is invited. */
export function noSignUpPage({ signUp }: Site, { text, page }: Context): Promise<Result> {
  const about = text(signUp === "closed" ? "closed" : "invitedOnly")
  return page({ title: text("signUp"), blocks: [{ kind: "text", text: about }], status: 403 })
}

export function forgotPage(context: Context, { error, email }: Again = {}): Promise<Result> {
  const { text, page } = context
  return page({
    title: text("forgot"),
    ...refused(error),
    blocks: [
      { kind: "text", text: text("forgotText") },
      {
        kind: "form",
        route: "forgot",
        captcha: "reset",
        values: targetOf(context),
        fields: emailField(context, email),
        submit: text("send"),
      },
    ],
  })
}

export function sentPage({ text, page }: Context, email: string): Promise<Result> {
  return page({ title: text("sent"), blocks: [{ kind: "text", text: text("sentText", { email }) }] })
}

/** The button that confirms a sign-up, for the browser that chose the password. */
export async function confirmPage(context: Context, email: string): Promise<Result> {
  const { text, page } = context
  const finish = toProvider("finish", await openedTarget(context))
  return page({
    title: text("confirm"),
    isSignUp: true,
    blocks: [
      { kind: "text", text: text("confirmText", { email }) },
      { kind: "form", ...finish, fields: whose(email), submit: text("signUp") },
    ],
  })
}

export async function choosePage(
  site: Site,
  context: Context,
  { email, kind }: Pick<Link, "email" | "kind">,
  { error, filled }: Again = {},
): Promise<Result> {
  const { text, page } = context
  const isSignUp = kind !== "reset"
  const finish = toProvider("finish", await openedTarget(context))
  const own = isSignUp ? ownInputs(context, site, filled) : {}
  const fields = { ...own, ...whose(email), ...newPassword(context, site, "newPassword") }
  return page({
    title: text("choose"),
    isSignUp,
    ...refused(error),
    blocks: [
      { kind: "text", text: text("chooseText", { email }) },
      hint(context, site),
      { kind: "form", ...finish, fields, submit: text("save") },
    ],
  })
}

export function changePage(site: Site, context: Context, error?: string): Promise<Result> {
  const { text, page, accountUrl } = context
  const current = { type: "password", label: text("currentPassword"), autocomplete: "current-password", required: true }
  const endOthers = { type: "checkbox", label: text("endOthers"), value: "on", checked: true }
  const fields = { password: current, ...newPassword(context, site, "newPassword"), endOthers }
  return page({
    title: text("change"),
    ...refused(error),
    blocks: [hint(context, site), { kind: "form", ...toProvider("change", accountUrl), fields, submit: text("save") }],
  })
}

export function deadLinkPage({ text, page, url }: Context): Promise<Result> {
  return page({
    title: text("dead"),
    blocks: [
      { kind: "text", text: text("deadText") },
      { kind: "link", url: url("forgot"), text: text("send") },
    ],
    status: 400,
  })
}

/** The sign-in goes through every phase, so a guard or a second factor can't be passed by. */
function toProvider(step: "finish" | "change", callbackUrl: string | undefined) {
  return { route: "password", signIn: true, values: { step, ...(callbackUrl && { callbackUrl }) } } as const
}

function hint({ text }: Context, { minLength }: Site): Block {
  return { kind: "text", text: text("tooShort", { min: String(minLength) }) }
}

function refused(error: string | undefined) {
  return error === undefined ? {} : { error, status: 400 }
}
