{{- define "peervote.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "peervote.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{/* What selects the pods: it must never change in the life of a release. */}}
{{- define "peervote.selector" -}}
app.kubernetes.io/name: {{ include "peervote.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "peervote.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "peervote.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: peervote
{{- end }}

{{- define "peervote.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "peervote.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "peervote.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* The most processes that may share the cohorts: what makes the server insist on a Redis. */}}
{{- define "peervote.mostReplicas" -}}
{{- if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ max 1 (int .Values.replicas) }}{{ end }}
{{- end }}

{{/* What the Service, the ingress and the gateway are called by: without tokens the server answers to no other names. */}}
{{- define "peervote.hosts" -}}
{{- $service := printf "%s.%s" (include "peervote.fullname" .) .Release.Namespace }}
{{- $hosts := list $service (printf "%s.svc" $service) (printf "%s.svc.cluster.local" $service) }}
{{- range .Values.ingress.hosts }}{{ $hosts = append $hosts .host }}{{ end }}
{{- range .Values.gateway.hostnames }}{{ $hosts = append $hosts . }}{{ end }}
{{- join "," $hosts }}
{{- end }}

{{- define "peervote.check" -}}
{{- $most := include "peervote.mostReplicas" . | int }}
{{- if and (gt $most 1) (eq .Values.redis.mode "none") }}
{{- fail "More than one replica needs a Redis that they share: set redis.mode to external (or trial)." }}
{{- end }}
{{- if and (eq .Values.redis.mode "external") (not .Values.redis.external.existingSecret) }}
{{- fail "redis.mode is external: name the Secret that holds its URL in redis.external.existingSecret." }}
{{- end }}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) }}
{{- fail "autoscaling.minReplicas is above autoscaling.maxReplicas." }}
{{- end }}
{{- if not (or .Values.auth.existingSecret .Values.auth.openAccess) }}
{{- fail "Who may use the server? Name the Secret that holds its tokens in auth.existingSecret, or set auth.openAccess to true if everybody who reaches it may do everything." }}
{{- end }}
{{- if and .Values.auth.existingSecret .Values.auth.openAccess }}
{{- fail "auth.existingSecret and auth.openAccess say two things: take one of them." }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) }}
{{- fail "ingress.enabled: name at least one host in ingress.hosts." }}
{{- end }}
{{- if and .Values.gateway.enabled (not .Values.gateway.parentRefs) }}
{{- fail "gateway.enabled: name the Gateway in gateway.parentRefs." }}
{{- end }}
{{- end }}
