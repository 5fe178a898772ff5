export { dynamodb, DynamoDBAdapter, type LatchkeyDynamoDBAdapter } from "./dynamodb.js"
export type { DynamoDBAdapterOptions } from "./options.js"
