import { MongoDBAdapter } from "@auth/mongodb-adapter"
import { openNew } from "../../../packages/mongodb/test/clients.js"
import { adapterOf, type Entry } from "./published.js"

export const overMongodb: readonly Entry[] = [
  {
    name: "@auth/mongodb-adapter",
    database: "a stand-in for MongoDB",
    open: async () => ({ adapter: adapterOf(MongoDBAdapter(await openNew())), close: async () => {} }),
  },
]
