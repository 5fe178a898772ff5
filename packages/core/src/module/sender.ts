import type { AuthContext } from "../model/auth.js"
import type { EmailProvider } from "../model/email-provider.js"

export interface Sender {
  readonly provider: EmailProvider
  readonly sendAccountEmail: NonNullable<EmailProvider["sendAccountEmail"]>
}

/** What sends the emails of modules. */
export function senderIn({ providers = new Map() }: Partial<Pick<AuthContext, "providers">>): Sender | undefined {
  for (const provider of providers.values()) {
    if (provider.type !== "email" || provider.sendAccountEmail === undefined) continue
    return { provider, sendAccountEmail: provider.sendAccountEmail }
  }
  return undefined
}
