import type { Context, Result } from "./context.js"
import { endAll } from "./end.js"
import { nameOf } from "./sign-ins.js"

/** GET frontchannel-logout/:provider, in a frame of the provider's page (OpenID Connect Front-Channel Logout 1.0 §2). */
export async function frontChannelLogout(context: Context): Promise<Result> {
  const { method, params, query } = context.request
  const { iss = "", sid = "" } = query
  const provider = params["provider"] ?? ""
  const name = await nameOf("sid", provider, iss, sid)
  // The frame has no cookies. Only the provider and the user's browser know the name of the session there.
  const found = method === "GET" && sid !== "" ? (await context.records.signIn.find({ sid: name })).items : []
  const [first] = found
  if (first === undefined) return context.empty(200)
  const count = await endAll(context, found, "frontchannel-logout")
  await context.emit("ended", { id: first.userId }, { data: { provider, count } })
  return context.empty(200, {
    "content-security-policy": `default-src 'none'; frame-ancestors ${new URL(iss).origin}`,
  })
}
