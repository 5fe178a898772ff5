import { languageOf } from "../i18n/language-of.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { FactorStep } from "../model/flow.js"
import type { AuthRequest } from "../model/http.js"
import { fieldsOf } from "../html/fields.js"
import { passkeyTexts } from "../html/passkey-texts.js"
import { defined } from "../primitives/defined.js"
import { requestContext } from "./context.js"
import type { Installed } from "./installed.js"
import type { FactorForm } from "../model/module-content.js"
import type { SignInAttempt } from "../module-kit/phases.js"

interface Asked {
  readonly installed: Installed
  readonly attempt: SignInAttempt
}

interface Shown {
  readonly form: FactorForm
  /** What a flow gets. */
  readonly step: Omit<FactorStep, "url">
  readonly cookies: readonly SetCookie[]
}

/** What the user has to prove next. `null`: they have no such factor. @param next the form that the factor shows instead of its first */
export async function factorStep(
  auth: AuthContext,
  request: AuthRequest,
  { installed, attempt }: Asked,
  next?: FactorForm,
): Promise<Shown | null> {
  const context = await requestContext(auth, request, installed)
  const form = next ?? (await installed.parts.factor?.form(context, attempt)) ?? null
  if (form === null) return null
  const { messages } = await languageOf(auth, request)
  const { value: csrfToken = "", cookies } = await request.csrf.token()
  const { title, text, blocks, submit, actions, passkey } = form
  const common = { status: "factor", factor: installed.module.id, title, submit, csrfToken } as const
  const asked = passkey && { ...passkey, messages: passkeyTexts(messages) }
  const optional = defined({ text, blocks, actions, passkey: asked })
  const step = { ...common, ...optional, fields: fieldsOf(messages, form.fields) }
  return { form, step, cookies }
}
