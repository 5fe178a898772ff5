/**
 * Every security event of core, with the outcomes that it can have. A name never changes its meaning and never goes away: audit logs
 * are searched for it years later.
 */
export const securityCatalogue = {
  "sign-in": { says: "A user signed in, or a sign-in was refused.", outcomes: ["success", "failure"] },
  "sign-out": { says: "A session ended in its browser.", outcomes: ["success", "failure"] },
  "factor.asked": { says: "A sign-in waits for a second factor.", outcomes: ["success"] },
  "factor.answered": { says: "A second factor was proven, or an answer was wrong.", outcomes: ["success", "failure"] },
  "email-link.requested": { says: "An email link or code was requested.", outcomes: ["success", "failure"] },
  "user.created": { says: "A user was stored.", outcomes: ["success"] },
  "user.deleted": { says: "A user deleted their account.", outcomes: ["success", "failure"] },
  "account.linked": { says: "An account at a provider was linked.", outcomes: ["success"] },
  "account.unlinked": { says: "An account at a provider was disconnected.", outcomes: ["success", "failure"] },
  "passkey.added": { says: "A passkey was registered.", outcomes: ["success", "failure"] },
  "passkey.renamed": { says: "A passkey got another name.", outcomes: ["success", "failure"] },
  "passkey.removed": { says: "A passkey was removed.", outcomes: ["success", "failure"] },
  "profile.changed": { says: "A user changed their name or image.", outcomes: ["success", "failure"] },
  "email.verified": { says: "A user proved that the email is theirs.", outcomes: ["success"] },
  "email-change.requested": { says: "A user asked for another email.", outcomes: ["success", "failure"] },
  "email.changed": { says: "A user confirmed another email.", outcomes: ["success", "failure"] },
  "sessions.revoked": { says: "A user ended their sessions.", outcomes: ["success", "failure"] },
  "credentials.revoked": { says: "The application called `revoke`.", outcomes: ["success", "failure"] },
  "user.disabled": { says: "The application called `disable`.", outcomes: ["success", "failure"] },
  "user.enabled": { says: "The application called `enable`.", outcomes: ["success"] },
  "token.refused": { says: "A provider refused to renew the access to an account.", outcomes: ["failure"] },
  "rate-limit.reached": { says: "There were too many attempts.", outcomes: ["failure"] },
  "csrf.refused": { says: "A form came from another site, or without its token.", outcomes: ["failure"] },
} as const

export type SecurityEventName = keyof typeof securityCatalogue
