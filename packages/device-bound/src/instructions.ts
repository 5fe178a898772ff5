import type { RequestContext } from "@latchkey/core/module"
import { bind, longest, sessionIdentifier } from "./pass.js"
import type { PublicKey } from "./proof.js"

export interface Bound {
  /** Names the sign-in. */
  readonly id: string
  readonly key: PublicKey
  /** Seconds until the next proof. */
  readonly left: number
}

/** Sets the short-lived cookie, and tells the browser how to renew it (§9.6). Nothing is stored: the browser keeps its own key for us. */
export async function instruct(
  context: RequestContext,
  { id, key, left }: Bound,
): Promise<ReturnType<RequestContext["json"]>> {
  const [name, attributes] = partsOf(await bind(context, id, left))
  context.setCookie("bound", "1", longest)
  return context.json({
    session_identifier: sessionIdentifier(context),
    refresh_url: context.url("refresh", { binding: await context.seal({ binds: id, key }, longest) }),
    scope: { include_site: false },
    credentials: [{ type: "cookie", name, attributes }],
    // A user who follows a link from another site is signed in, too.
    allowed_refresh_initiators: ["*"],
  })
}

/** The name of a `Set-Cookie` header, and its attributes. Chromium refuses those that say how long it lasts. */
function partsOf(header: string): readonly [name: string, attributes: string] {
  const [pair = "", ...attributes] = header.split("; ")
  const [name = ""] = pair.split("=", 1)
  return [name, attributes.filter((each) => !/^(?:max-age|expires)=/i.test(each)).join("; ")]
}
