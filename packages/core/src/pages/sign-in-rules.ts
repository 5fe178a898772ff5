import type { AuthContext } from "../model/auth.js"
import { leavesSite } from "./provider-form.js"
import { passkeyRules } from "./passkey-form.js"
import { providerRule } from "./styles.js"
import type { ResolvedProvider } from "../model/signin.js"

/** The CSS rules of what this sign-in page has. */
export function signInRules(
  { pages }: Pick<AuthContext, "pages">,
  providers: readonly ResolvedProvider[],
  lastUsed: string | undefined,
): string {
  return [
    ...providers.map((each, index) =>
      leavesSite(each) ? providerRule(index, each.style.brandColor ?? each.style.bg) : "",
    ),
    providers.some(({ type }) => type === "webauthn") ? passkeyRules : "",
    lastUsed === undefined ? "" : lastUsedRules,
    pages.forgotPassword === undefined ? "" : forgotRules,
    pages.createAccount === undefined ? "" : createAccountRules,
  ].join("")
}

const lastUsedRules = `.last-used{position:absolute;z-index:1;inset-block-start:-.625rem;inset-inline-end:.625rem;padding:0 .5rem;font-size:.75rem;line-height:1.125rem;font-weight:500;
color:var(--color-primary);background:var(--color-background-card);border:1px solid var(--color-control-border);border-radius:1rem;pointer-events:none}
.provider:has(>[open],>form>label)>.last-used{inset-block-start:0;inset-inline-end:0}
`

const forgotRules = `.forgot{margin:-.625rem 0 .75rem;font-size:.875rem;text-align:end}
.forgot a{display:inline-block;padding:.25rem 0}
`

const createAccountRules = `.other{margin:1.25rem 0 0;font-size:.875rem;color:var(--color-primary);text-align:center}
.other+.back{margin-top:.5rem}
.other a{font-weight:500;color:var(--color-text)}
`
