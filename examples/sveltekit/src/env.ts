import { defineEnvVars } from "@sveltejs/kit/env"

const optional = { schema: (value: string | undefined) => value }

// SvelteKit reads these from `.env` files too.
export const variables = defineEnvVars({
  AUTH_SECRET: optional,
  AUTH_URL: optional,
  AUTH_GITHUB_ID: optional,
  AUTH_GITHUB_SECRET: optional,
  AUTH_GOOGLE_ID: optional,
  AUTH_GOOGLE_SECRET: optional,
  AUTH_RESEND_KEY: optional,
  EMAIL_FROM: optional,
  MAILBOX: optional,
  DATABASE_FILE: optional,
})
