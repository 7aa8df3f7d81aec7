{{- define "skyshelf.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "skyshelf.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- $name := include "skyshelf.name" . }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "skyshelf.selector" -}}
app.kubernetes.io/name: {{ include "skyshelf.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "skyshelf.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "skyshelf.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "skyshelf.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "skyshelf.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "skyshelf.image" -}}
{{- $repository := required "image.repository is missing: build the image of a release, push it to your registry, and name it there" .Values.image.repository }}
{{- if .Values.image.digest }}
{{- printf "%s@%s" $repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" $repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{- define "skyshelf.isOnDisk" -}}
{{- if eq .Values.stores.kind "sqlite-disk" }}yes{{ end }}
{{- end }}

{{- define "skyshelf.publicUrl" -}}
{{- required "publicUrl is missing: the address under which people reach the service, such as https://drive.example.org" .Values.publicUrl }}
{{- end }}

{{- define "skyshelf.host" -}}
{{- regexReplaceAll ":[0-9]+$" (urlParse (include "skyshelf.publicUrl" .)).host "" }}
{{- end }}

{{- define "skyshelf.path" -}}
{{- default "/" (trimSuffix "/" (urlParse (include "skyshelf.publicUrl" .)).path) }}
{{- end }}

{{- define "skyshelf.dataClaim" -}}
{{- default (printf "%s-data" (include "skyshelf.fullname" .)) .Values.stores.volume.existingClaim }}
{{- end }}

{{- define "skyshelf.backupClaim" -}}
{{- default (printf "%s-backups" (include "skyshelf.fullname" .)) .Values.backup.volume.existingClaim }}
{{- end }}

{{/* The stores, for every command: the image names the folder itself. */}}
{{- define "skyshelf.storesEnv" -}}
- name: SKYSHELF_SERVE_PUBLIC_URL
  value: {{ include "skyshelf.publicUrl" . | quote }}
{{- if not (include "skyshelf.isOnDisk" .) }}
- name: SKYSHELF_SERVE_METADATA
  value: {{ .Values.stores.database.url | quote }}
- name: SKYSHELF_SERVE_BLOBS
  value: {{ .Values.stores.bucket.url | quote }}
{{- with .Values.stores.database }}
{{- if .existingSecret }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .passwordKey }}
{{- end }}
{{- end }}
{{- with .Values.stores.bucket }}
{{- if .existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .accessKeyKey }}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .secretKeyKey }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Creates or upgrades the stores, and makes the first operator; can be run again. */}}
{{- define "skyshelf.init" -}}
name: init
image: {{ include "skyshelf.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
command: [/bin/sh, -ec]
args:
  - |
    {{- if not (include "skyshelf.isOnDisk" .) }}
    if skyshelf admin upgrade --check | tee /tmp/plan | grep --quiet "Stop every server first: the store is in use now"; then
      cat /tmp/plan
      echo "Nothing was changed. Stop the servers, and upgrade again:" \
        "kubectl --namespace {{ .Release.Namespace }} scale deployment {{ include "skyshelf.fullname" . }} --replicas 0"
      exit 1
    fi
    {{- end }}
    skyshelf admin init
    {{- if .Values.operator.email }}
    skyshelf admin user invite "$OPERATOR_EMAIL" --first-name "$OPERATOR_FIRST_NAME" --last-name "$OPERATOR_LAST_NAME" --if-missing
    skyshelf admin user grant-operator "$OPERATOR_EMAIL"
    {{- end }}
env:
  {{- include "skyshelf.storesEnv" . | nindent 2 }}
  {{- with .Values.operator }}
  {{- if .email }}
  - name: OPERATOR_EMAIL
    value: {{ .email | quote }}
  - name: OPERATOR_FIRST_NAME
    value: {{ .firstName | quote }}
  - name: OPERATOR_LAST_NAME
    value: {{ .lastName | quote }}
  {{- end }}
  {{- end }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  {{- include "skyshelf.mounts" . | nindent 2 }}
{{- end }}

{{/* What every container of Skyshelf can write to, and what else it sees. */}}
{{- define "skyshelf.mounts" -}}
- name: data
  mountPath: /var/lib/skyshelf
- name: tmp
  mountPath: /tmp
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "skyshelf.volumes" -}}
- name: data
  {{- if include "skyshelf.isOnDisk" . }}
  persistentVolumeClaim:
    claimName: {{ include "skyshelf.dataClaim" . }}
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  emptyDir: {}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What the specifications of all pods have in common. */}}
{{- define "skyshelf.pod" -}}
serviceAccountName: {{ include "skyshelf.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .Values.priorityClassName }}
priorityClassName: {{ .Values.priorityClassName }}
{{- end }}
{{- end }}
