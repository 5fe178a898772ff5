/** The same as in `@auth/dynamodb-adapter`. */
export const defaultTable = "next-auth"

/** Options of {@link dynamodb}. They are the same as in `@auth/dynamodb-adapter`. */
export interface DynamoDBAdapterOptions {
  /** @default "next-auth" */
  tableName?: string
  /** Attribute of the partition key. @default "pk" */
  partitionKey?: string
  /** Attribute of the sort key. @default "sk" */
  sortKey?: string
  /** Name of the global secondary index. @default "GSI1" */
  indexName?: string
  /** Attribute of the partition key of the index. @default "GSI1PK" */
  indexPartitionKey?: string
  /** Attribute of the sort key of the index. @default "GSI1SK" */
  indexSortKey?: string
}
