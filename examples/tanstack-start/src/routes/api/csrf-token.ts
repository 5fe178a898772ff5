import { createFileRoute } from "@tanstack/react-router"
import { auth } from "../../auth.server"

export const Route = createFileRoute("/api/csrf-token")({
  server: { handlers: { GET: async () => Response.json({ csrfToken: await auth.csrfToken() }) } },
})
