export { prisma, PrismaAdapter, type PrismaOptions, type PrismaSessionAdapter } from "./adapter.js"
export type { ModelNames } from "./client.js"
export type { Swept, SweepOptions } from "@latchkey/core/adapters"
