import type { auth } from "./auth"

declare global {
  namespace App {
    interface Locals {
      session: Awaited<ReturnType<typeof auth.getSession>>
    }
  }
}
