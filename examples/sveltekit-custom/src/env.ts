import { defineEnvVars } from "@sveltejs/kit/env"

const optional = { schema: (value: string | undefined) => value }

// SvelteKit reads these from `.env` files too.
export const variables = defineEnvVars({
  AUTH_SECRET: optional,
  AUTH_URL: optional,
  AUTH_TRUST_HOST: optional,
})
