import * as parse from './config-values.ts'

/** Settings of the bucket that keeps the installation's files in place of DATA_DIR. */
export const s3Settings = {
  s3Bucket: parse.setting('S3_BUCKET', '', parse.optional(parse.readText), {
    about:
      'S3-compatible bucket that keeps new files in place of DATA_DIR. Files stay where they are when this changes. A project may have a bucket of its own: `bin/deskbell project bucket`. Needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    example: 'deskbell-files',
  }),
  s3Endpoint: parse.setting('S3_ENDPOINT', '', parse.optional(parse.url('http:', 'https:')), {
    about: 'Address of the server that has S3_BUCKET. When not set, that of Amazon in S3_REGION.',
    example: 'https://s3.example.com',
  }),
  s3Region: parse.setting('S3_REGION', 'us-east-1', parse.readText, {
    about: 'Region of S3_BUCKET. Most servers other than Amazon take any.',
    example: 'eu-central-1',
  }),
  s3AccessKeyId: parse.setting('S3_ACCESS_KEY_ID', '', parse.optional(parse.readText), {
    about: 'Access key of S3_BUCKET. Kept encrypted in the database as long as files are in the bucket.',
    example: 'AKIAIOSFODNN7EXAMPLE',
  }),
  s3SecretAccessKey: parse.setting('S3_SECRET_ACCESS_KEY', '', parse.optional(parse.readText), {
    about: 'Secret that belongs to S3_ACCESS_KEY_ID.',
    example: 'the secret that was shown with the access key',
  }),
  s3PathStyle: parse.toggle(
    'S3_PATH_STYLE',
    'on',
    'Whether the name of the bucket stands in the path (`on`) or in the host (`off`) of its addresses. Servers of your own mostly want `on`.',
  ),
}
