import type { PageOf, PageStep } from "../../html/view.js"
import { toRoute } from "../../http/redirect.js"

export const accountStep: PageStep<PageOf<"account">> = {
  stepOf({ request }, { overview, csrfToken = "" }) {
    return { result: { status: "account", overview, csrfToken, url: toRoute(request, "account") }, status: 200 }
  },
}
