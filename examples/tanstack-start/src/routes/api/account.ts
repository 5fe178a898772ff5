import { createFileRoute } from "@tanstack/react-router"
import { auth } from "../../auth.server"

export const Route = createFileRoute("/api/account")({
  server: {
    handlers: {
      async GET() {
        const { user } = await auth.requireSession()
        return Response.json({ email: user.email, name: user.name })
      },
    },
  },
})
