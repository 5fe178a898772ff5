import {
  type FactorForm,
  type ModuleContext,
  type ModuleParts,
  type ModuleUser,
  type RequestContext,
  route,
} from "@latchkey/core/module"
import { renderSVG } from "uqr"
import { hashOf, normal, stepOf, toBase32 } from "./codes.ts"
import { en } from "./texts.ts"
import type { records, TotpServer } from "./totp.ts"

type Context = RequestContext<typeof records>
type Background = ModuleContext<typeof records>

export const parts: ModuleParts<typeof records, TotpServer> = {
  texts: { en },
  factor: {
    amr: ["otp", "mfa"],
    // A passkey is a device and a gesture already.
    exempt: ["hwk"],
    isRequired: (context, { user }) => isEnrolled(context, user.id),
    form: async (context, { user }) => ((await isEnrolled(context, user.id)) ? codeForm(context) : null),
    verify: async (context, { user }, { code = "" }) =>
      (await useCode(context, user.id, code)) || context.text("wrong"),
  },
  account: (context, user) => section(context, user),
  routes: [
    route("POST", "enroll", { session: "recent" }, startEnrollment),
    route("POST", "confirm", { session: "recent", limit: "confirm" }, confirmEnrollment),
    route("POST", "remove", { session: "recent" }, removeSecret),
  ],
  limits: { confirm: { points: 10, seconds: 900 } },
  events: { enrolled: "A user set up an authenticator app.", removed: "A user removed it." },
  // Losing the phone is the one reason to take the factor away.
  async revoke({ records: { secret } }, { id }, reason) {
    if (reason === "lost-factor") await secret.remove({ userId: id })
  },
  export: async (context, { id }) => ({ isEnrolled: await isEnrolled(context, id) }),
  server: (context) => ({ isEnrolled: (userId) => isEnrolled(context, userId) }),
}

async function isEnrolled({ records: { secret } }: Background, userId: string): Promise<boolean> {
  return (await secret.get({ userId }))?.isConfirmed === true
}

/** A code of the app, or a recovery code. Of parallel requests with one code, one wins. */
async function useCode(context: Context, userId: string, typed: string): Promise<boolean> {
  const { secret } = context.records
  const stored = await secret.get({ userId })
  if (stored?.isConfirmed !== true) return false
  const step = stepOf(stored.seed, normal(typed), context.now())
  if (step !== undefined) return step > stored.lastStep && secret.swap(stored, { lastStep: step })
  const recovery = stored.recovery.filter((hash) => hash !== hashOf(typed))
  return recovery.length < stored.recovery.length && secret.swap(stored, { recovery })
}

function codeForm({ text }: Context): FactorForm {
  const code = {
    label: text("code"),
    autocomplete: "one-time-code",
    autocapitalize: "none",
    maxlength: 24,
    required: true,
  }
  return { title: text("title"), text: text("ask"), fields: { code }, submit: text("verify") }
}

async function section({ records: { secret }, text }: Context, { id }: ModuleUser) {
  const stored = await secret.get({ userId: id })
  const isOn = stored?.isConfirmed === true
  const about = isOn ? text("on", { left: String(stored.recovery.length) }) : text("off")
  const form = isOn ? { route: "remove", submit: text("remove") } : { route: "enroll", submit: text("setUp") }
  return { title: text("title"), blocks: [{ kind: "text", text: about } as const, { kind: "form", ...form } as const] }
}

/** A seed that was never confirmed is replaced, and one that is in use isn't. */
async function startEnrollment(context: Context, user: ModuleUser) {
  const { secret } = context.records
  const before = await secret.get({ userId: user.id })
  if (before?.isConfirmed === true) return context.redirect("account")
  const seed = toBase32(context.random(20))
  const next = { userId: user.id, seed, isConfirmed: false, lastStep: 0, recovery: [] }
  const isStored = before === null ? await secret.insert(next) : await secret.swap(before, next)
  return isStored ? setUpPage(context, user, seed) : context.redirect("account")
}

function setUpPage(context: Context, user: ModuleUser, seed: string, error?: string) {
  const { app, text } = context
  const label = encodeURIComponent(`${app}:${user.email ?? user.name ?? user.id}`)
  const uri = `otpauth://totp/${label}?secret=${seed}&issuer=${encodeURIComponent(app)}`
  const { fields, submit } = codeForm(context)
  return context.page({
    title: text("title"),
    ...(error !== undefined && { error, status: 400 }),
    blocks: [
      { kind: "text", text: text("scan") },
      { kind: "image", src: `data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`, alt: text("qr") },
      { kind: "text", text: text("key") },
      { kind: "codes", codes: [seed] },
      { kind: "form", route: "confirm", fields, submit },
    ],
  })
}

async function confirmEnrollment(context: Context, user: ModuleUser) {
  const { records, request, text } = context
  const stored = await records.secret.get({ userId: user.id })
  if (stored === null || stored.isConfirmed) return context.redirect("account")
  const step = stepOf(stored.seed, normal(String(request.fields["code"])), context.now())
  if (step === undefined) return setUpPage(context, user, stored.seed, text("wrong"))
  const codes = Array.from({ length: 10 }, () => toBase32(context.random(10)))
  const confirmed = { isConfirmed: true, lastStep: step, recovery: codes.map(hashOf) }
  if (!(await records.secret.swap(stored, confirmed))) return context.redirect("account")
  await context.emit("enrolled", user)
  return context.page({
    title: text("title"),
    blocks: [
      { kind: "text", text: text("keep") },
      { kind: "codes", codes },
      { kind: "link", url: context.accountUrl, text: text("done") },
    ],
  })
}

async function removeSecret(context: Context, user: ModuleUser) {
  await context.records.secret.remove({ userId: user.id })
  await context.emit("removed", user)
  return context.redirect("account")
}
