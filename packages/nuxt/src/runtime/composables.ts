export { useAuth, useSession } from "@latchkey/nuxt/client"
