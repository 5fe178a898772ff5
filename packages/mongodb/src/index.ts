export type { Finding } from "./indexes.js"
export { type LatchkeyMongoDBAdapter, mongodb, MongoDBAdapter } from "./mongodb.js"
export type { MongoDBAdapterOptions, MongoSource } from "./options.js"
