// SPDX-License-Identifier: Apache-2.0
/* Features, caps, and discovery. */
#include <string.h>

#include "fake.h"

/* An adapter without the hosted shell, for features that are not enabled. */
struct scene {
	struct fake fake;
	struct rf_hosted_device device; /* for local memory only */
	struct rf_os os;
	struct kmd_sync_domain *domain;
	struct kmd_adapter *adapter;
};

static struct scene *scene_create(void)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	fake_init(&scene->fake);
	scene->os.bus = &scene->fake.bus.bus;
	scene->fake.bus.bus.os = &scene->os;
	scene->fake.bus.bus.shell = &scene->device;
	hosted_local_memory_init(&scene->device.local, FAKE_LOCAL_BYTES);
	assert_int_equal(kmd_sync_domain_create(&scene->os, &scene->domain), 0);
	return scene;
}

static int scene_start(struct scene *scene, const struct kmd_features *features,
		       const struct rf_ddi *ddi)
{
	return kmd_adapter_create(scene->domain, &scene->fake.bus.bus, ddi, features,
				  &scene->adapter);
}

static void scene_end(struct scene *scene)
{
	if (scene->adapter)
		kmd_adapter_destroy(scene->adapter);
	kmd_sync_domain_destroy(scene->domain);
	hosted_local_memory_destroy(&scene->device.local);
	fake_destroy(&scene->fake);
	free(scene);
}

static const struct kmd_features all = { true, true, true, true, true };
static const struct kmd_features none = { 0 };

static void driver_asks_before_it_advertises(void **state)
{
	struct scene *scene = scene_create();

	(void)state;
	assert_int_equal(scene_start(scene, &all, &fake_ddi), 0);
	assert_true(scene->fake.feature_result.enabled);
	assert_int_equal(scene->fake.feature_result.version, 1);
	scene_end(scene);

	scene = scene_create();
	scene->fake.asks = false;
	assert_int_equal(scene_start(scene, &all, &fake_ddi), -EINVAL);
	assert_int_equal(scene->fake.calls[FAKE_STOP_DEVICE], 1);
	scene_end(scene);
}

static void advertised_while_not_enabled_fails(void **state)
{
	struct scene *scene = scene_create();

	(void)state;
	assert_int_equal(scene_start(scene, &none, &fake_ddi), -EINVAL);
	assert_false(scene->fake.feature_result.enabled);
	assert_int_equal(scene->fake.interface_result, -EINVAL);
	assert_int_equal(scene->fake.calls[FAKE_STOP_DEVICE], 1);
	scene_end(scene);
}

static void interface_table(void **state)
{
	const struct rf_dxgk_callbacks *callbacks;
	struct rf_feature_native_fence_1 table;
	struct scene *scene = scene_create();
	struct rf_feature_result result;

	(void)state;
	assert_int_equal(scene_start(scene, &all, &fake_ddi), 0);
	callbacks = scene->fake.callbacks;
	assert_int_equal(scene->fake.interface_result, 0);
	assert_true(scene->fake.os_caps.support_optimized_default_fence_type);
	assert_true(scene->fake.os_caps.support_intra_gpu_fence_type);
	/* another version, another feature, another size */
	assert_int_equal(callbacks->query_feature_interface(scene->adapter, RF_FEATURE_NATIVE_FENCE,
							    2, &table, sizeof(table)),
			 -EINVAL);
	assert_int_equal(callbacks->query_feature_interface(scene->adapter, RF_FEATURE_HWSCH, 1,
							    &table, sizeof(table)),
			 -EINVAL);
	assert_int_equal(callbacks->query_feature_interface(scene->adapter, RF_FEATURE_NATIVE_FENCE,
							    1, &table, 4),
			 -EINVAL);
	assert_int_equal(callbacks->is_feature_enabled(scene->adapter, RF_FEATURE_HWSCH, &result),
			 0);
	assert_false(result.enabled);
	assert_int_equal(
		callbacks->is_feature_enabled(scene->adapter, (enum rf_feature_id)99, &result),
		-EINVAL);
	scene_end(scene);
}

static void rules_of_the_caps(void **state)
{
	static const struct {
		u32 caps;
		int result;
	} cases[] = {
		{ 0, 0 },
		{ RF_VIDSCH_NATIVE_GPU_FENCE, 0 },
		{ RF_VIDSCH_PREEMPTION_AWARE, -EINVAL },
		{ RF_VIDSCH_PREEMPTION_AWARE | RF_VIDSCH_MULTI_ENGINE_AWARE, 0 },
		{ RF_VIDSCH_NO_DMA_PATCHING, -EINVAL },
		{ RF_VIDSCH_NO_DMA_PATCHING | RF_VIDSCH_MULTI_ENGINE_AWARE, -EINVAL },
		{ RF_VIDSCH_NO_DMA_PATCHING | RF_VIDSCH_PREEMPTION_AWARE |
			  RF_VIDSCH_MULTI_ENGINE_AWARE,
		  0 },
		{ RF_VIDSCH_CANCEL_COMMAND_AWARE, -EINVAL },
		{ RF_VIDSCH_CANCEL_COMMAND_AWARE | RF_VIDSCH_MULTI_ENGINE_AWARE, 0 },
		{ RF_VIDSCH_NO_64_BIT_ATOMICS, 0 },
		{ RF_VIDSCH_NO_64_BIT_ATOMICS | RF_VIDSCH_NATIVE_GPU_FENCE, -EINVAL },
	};
	static const struct {
		u32 stride;
		int result;
	} strides[] = {
		{ 0, -EINVAL }, { 4, -EINVAL }, { 8, 0 },	   { 24, -EINVAL },
		{ 64, 0 },	{ 4096, 0 },	{ 8192, -EINVAL },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scene *scene = scene_create();

		scene->fake.caps.scheduling_caps = cases[i].caps;
		assert_int_equal(scene_start(scene, &all, &fake_ddi), cases[i].result);
		scene_end(scene);
	}
	for (i = 0; i < ARRAY_SIZE(strides); i++) {
		struct scene *scene = scene_create();

		scene->fake.native_caps.monitored_value_stride = strides[i].stride;
		assert_int_equal(scene_start(scene, &all, &fake_ddi), strides[i].result);
		scene_end(scene);
	}
}

static void table_is_complete(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < 8; i++) {
		struct scene *scene = scene_create();
		struct rf_ddi ddi = fake_ddi;

		switch (i) {
		case 0:
			ddi.create_native_fence = NULL;
			break;
		case 1:
			ddi.open_native_fence = NULL;
			break;
		case 2:
			ddi.close_native_fence = NULL;
			break;
		case 3:
			ddi.destroy_native_fence = NULL;
			break;
		case 4:
			ddi.update_monitored_values = NULL;
			break;
		case 5:
			ddi.update_current_values_from_cpu = NULL;
			break;
		case 6:
			ddi.set_native_fence_log_buffer = NULL;
			break;
		case 7:
			ddi.update_native_fence_logs = NULL;
			break;
		}
		assert_int_equal(scene_start(scene, &all, &ddi), -EINVAL);
		scene_end(scene);
	}
}

/* S4-1: a driver that is PreemptionAware has preempt_command. */
static void who_is_aware_can_preempt(void **state)
{
	struct scene *scene = scene_create();
	struct rf_ddi ddi = fake_ddi;

	(void)state;
	ddi.preempt_command = NULL;
	assert_int_equal(scene_start(scene, &all, &ddi), -EINVAL);
	scene_end(scene);
	scene = scene_create();
	scene->fake.caps.scheduling_caps &= ~RF_VIDSCH_PREEMPTION_AWARE;
	assert_int_equal(scene_start(scene, &all, &ddi), 0);
	scene_end(scene);
}

static void not_enabled_means_not_called(void **state)
{
	struct drm_ringfence_fence_create fence = { 0 };
	struct drm_ringfence_queue_create queue = {
		.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
	};
	struct scene *scene = scene_create();
	struct rf_file shell;
	struct kmd_file *file;

	(void)state;
	scene->fake.caps.scheduling_caps = 0;
	assert_int_equal(scene_start(scene, &none, &fake_ddi), 0);
	hosted_file_init(&shell, &scene->device);
	assert_int_equal(kmd_file_open(scene->adapter, &shell, &file), 0);
	assert_int_equal(kmd_request(file, DRM_RINGFENCE_FENCE_CREATE, &fence), -EOPNOTSUPP);
	assert_int_equal(kmd_request(file, DRM_RINGFENCE_QUEUE_CREATE, &queue), -EOPNOTSUPP);
	assert_int_equal(scene->fake.calls[FAKE_CREATE_FENCE], 0);
	assert_int_equal(scene->fake.calls[FAKE_CREATE_QUEUE], 0);
	kmd_file_close(file);
	hosted_file_destroy(&shell);
	scene_end(scene);
}

static void options_of_the_feature(void **state)
{
	static const struct kmd_features plain = { .native_fence = true };
	struct drm_ringfence_fence_create fence = { .type = DRM_RINGFENCE_FENCE_INTRA_GPU };
	struct scene *scene = scene_create();
	struct rf_file shell;
	struct kmd_file *file;

	(void)state;
	assert_int_equal(scene_start(scene, &plain, &fake_ddi), 0);
	scene->device.bus = &scene->fake.bus.bus;
	hosted_file_init(&shell, &scene->device);
	assert_int_equal(kmd_file_open(scene->adapter, &shell, &file), 0);
	assert_int_equal(kmd_request(file, DRM_RINGFENCE_FENCE_CREATE, &fence), -EOPNOTSUPP);
	/* no optimised type: MonitoredValue in system memory */
	fence.type = DRM_RINGFENCE_FENCE_DEFAULT;
	assert_int_equal(kmd_request(file, DRM_RINGFENCE_FENCE_CREATE, &fence), 0);
	assert_int_equal(scene->fake.bus.mapped, 2);
	kmd_file_close(file);
	hosted_file_destroy(&shell);
	scene_end(scene);
}

static void user_mode_learns_the_caps(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_adapter_info info[2];
	struct drm_ringfence_node_info node;
	struct drm_ringfence_query query = { .type = DRM_RINGFENCE_QUERY_ADAPTER };
	u32 i;

	(void)state;
	/* the size first */
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUERY, &query), 0);
	assert_int_equal(query.size, sizeof(info[0]));

	memset(info, 0xff, sizeof(info));
	query.pointer = (uintptr_t)info;
	query.size = sizeof(info);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUERY, &query), 0);
	assert_int_equal(query.size, sizeof(info[0]));
	assert_int_equal(info[0].flags, DRM_RINGFENCE_ADAPTER_NATIVE_FENCE |
						DRM_RINGFENCE_ADAPTER_OPTIMIZED_FENCE |
						DRM_RINGFENCE_ADAPTER_INTRA_GPU_FENCE |
						DRM_RINGFENCE_ADAPTER_USER_MODE_SUBMISSION);
	assert_int_equal(info[0].node_count, FAKE_NODES);
	assert_int_equal(info[0].fence_value_stride, 64);
	assert_int_equal(info[0].doorbell_bytes, 8);
	assert_int_equal(info[0].doorbell_count, FAKE_PHYSICAL_DOORBELLS);
	assert_int_equal(info[0].local_memory_bytes, FAKE_LOCAL_BYTES);
	assert_int_equal(info[0].timestamp_frequency, 125000000);
	assert_int_equal(info[0].graphics_preemption, RF_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY);
	assert_int_equal(info[0].compute_preemption, RF_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY);
	for (i = 0; i < sizeof(info[1]); i++) /* a newer program's tail */
		assert_int_equal(((u8 *)&info[1])[i], 0);

	/* an older program's shorter structure */
	memset(info, 0xff, sizeof(info));
	query.size = 4;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUERY, &query), 0);
	assert_int_equal(info[0].node_count, U32_MAX);

	query = (struct drm_ringfence_query){
		.type = DRM_RINGFENCE_QUERY_NODE,
		.size = sizeof(node),
		.pointer = (uintptr_t)&node,
	};
	for (i = 0; i < FAKE_NODES; i++) {
		query.index = i;
		assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUERY, &query), 0);
		assert_int_equal(node.flags, i >= FAKE_NODE_KERNEL
						     ? 0
						     : DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION);
	}
	query.index = FAKE_NODES;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUERY, &query), -EINVAL);
	world_destroy(world);
}

static void address_spaces_are_finite(void **state)
{
	struct rf_file *files[FAKE_PROCESSES];
	struct world *world = world_new();
	u32 i;

	(void)state;
	for (i = 1; i < FAKE_PROCESSES; i++)
		assert_int_equal(rf_hosted_open(world->device, &files[i]), 0);
	assert_int_equal(rf_hosted_open(world->device, &files[0]), -EBUSY);
	for (i = 1; i < FAKE_PROCESSES; i++)
		rf_hosted_close(files[i]);
	assert_int_equal(rf_hosted_open(world->device, &files[0]), 0);
	rf_hosted_close(files[0]);
	world_destroy(world);
}

static void two_adapters(void **state)
{
	struct world *world = world_new();
	struct fake *second = calloc(1, sizeof(*second));
	struct rf_hosted_device *device;
	struct rf_file *file;
	u32 fence, event;

	(void)state;
	fake_init(second);
	assert_int_equal(rf_hosted_add_device(world->hosted, &second->bus.bus, &fake_ddi, &device),
			 0);
	assert_int_equal(rf_hosted_open(device, &file), 0);
	fence = make_default(file, 0);
	make_default(world->file, 0);
	event = wait_event(file, fence, 1);
	wait_event(world->file, make_default(world->file, 0), 1);
	fake_signal(second, fake_last_fence(second), 1);
	assert_int_equal(look(file, event), 0);
	assert_int_equal(world->fake.interrupts_raised, 0);
	rf_hosted_close(file);
	rf_hosted_remove_device(device);
	fake_destroy(second);
	free(second);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-45.the-driver-asks-before-it-advertises",
		     driver_asks_before_it_advertises),
		TEST("S0-46.advertised-while-not-enabled-fails",
		     advertised_while_not_enabled_fails),
		TEST("S0-47,S0-48.the-interface-of-an-enabled-feature", interface_table),
		TEST("S4-6,C7,C23.rules-of-the-caps", rules_of_the_caps),
		TEST("S4-1.who-is-PreemptionAware-can-preempt", who_is_aware_can_preempt),
		TEST("S0-60.the-table-is-complete", table_is_complete),
		TEST("S0-53.not-enabled-means-not-called", not_enabled_means_not_called),
		TEST("S0-31,S0-47.what-the-feature-leaves-out", options_of_the_feature),
		TEST("S0-49,S0-50,S3-4,S3-5,S4-7.user-mode-learns-the-caps",
		     user_mode_learns_the_caps),
		TEST("address-spaces-are-finite", address_spaces_are_finite),
		TEST("two-adapters-in-one-world", two_adapters),
	};

	return cmocka_run_group_tests_name("adapter", tests, NULL, NULL);
}
