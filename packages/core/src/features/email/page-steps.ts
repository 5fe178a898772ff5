import { toRoute } from "../../http/redirect.js"
import type { PageOf, PageStep } from "../../html/view.js"
import { resendAfter } from "../rate-limits/default-limits.js"

/** The email that this browser requested last. */
export const verifyRequestStep: PageStep<PageOf<"verify-request">> = {
  stepOf({ auth, request, refused }, { sent, form }) {
    const provider = auth.providers.get(sent?.provider ?? "")
    if (sent === undefined || provider?.type !== "email") return refused("Verification", toRoute(request, "signin"))
    const seconds = Math.floor((auth.runtime.now() - sent.sentAt) / 1000)
    const result = {
      status: "email-sent",
      email: sent.email,
      provider: provider.id,
      expiresIn: Math.max(0, provider.maxAge - seconds),
      resendIn: Math.max(0, resendAfter - seconds),
      ...(form && { code: { length: form.longest ?? form.length ?? 0, digits: form.digits, url: form.action } }),
      url: request.origin + request.path,
    } as const
    return { result, status: 200 }
  },
}

export const confirmEmailStep: PageStep<PageOf<"confirm-email">> = {
  stepOf(_, { account, replaces, device, fields, csrfToken = "", action }) {
    const result = {
      status: "confirm-email",
      ...(account !== undefined && { account }),
      ...(replaces !== undefined && { replaces }),
      ...(device !== undefined && { device }),
      fields,
      csrfToken,
      url: action,
    } as const
    return { result, status: 200 }
  },
}
