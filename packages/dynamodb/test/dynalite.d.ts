declare module "dynalite" {
  import type { Server } from "node:http"

  /** Creates a server with the HTTP interface of DynamoDB, in memory. Times are in milliseconds. */
  export default function dynalite(options?: {
    createTableMs?: number
    deleteTableMs?: number
    updateTableMs?: number
  }): Server
}
