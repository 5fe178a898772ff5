import { Auth } from "@latchkey/core"
import { d1, type D1Binding } from "@latchkey/sql/d1"

/** The links that the worker mailed. */
const mails: string[] = []

const mailer = {
  id: "mail",
  name: "Mail",
  type: "email",
  sendVerificationRequest: ({ url }: { readonly url: string }) => void mails.push(url),
} as const

let adapter: ReturnType<typeof d1> | undefined

/** A worker that signs users in by email. `/mails` returns the links. */
export default {
  async fetch(request: Request, env: { readonly DB: D1Binding; readonly SECRET: string }): Promise<Response> {
    if (new URL(request.url).pathname === "/mails") return Response.json(mails)
    adapter ??= d1(env.DB)
    return Auth(request, { adapter, providers: [mailer], secret: env.SECRET, trustHost: true })
  },
}
